"""What podcast directories ask of a show: their lists, and the fields that hold editors to them."""
