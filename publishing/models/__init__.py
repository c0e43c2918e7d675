from .address import Address
from .correction import Correction
from .event import Event
from .item import Item, ItemLink, new_short_id
from .job import Heartbeat, Job
from .publishable import LinkTable, Publishable, PublishableQuerySet, once_live
from .revision import Revision
from .site import ContentVersion, SiteSettings
from .stored import StoredFile
from .table import TableEntry

__all__ = [
    "Address",
    "ContentVersion",
    "Correction",
    "Event",
    "Heartbeat",
    "Item",
    "ItemLink",
    "Job",
    "LinkTable",
    "Publishable",
    "PublishableQuerySet",
    "Revision",
    "SiteSettings",
    "StoredFile",
    "TableEntry",
    "new_short_id",
    "once_live",
]
