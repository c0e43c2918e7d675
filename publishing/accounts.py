from allauth.account.adapter import DefaultAccountAdapter


class ClosedAdapter(DefaultAccountAdapter):
    """Nobody signs up here; a superuser makes the accounts."""

    def is_open_for_signup(self, request) -> bool:
        return False
