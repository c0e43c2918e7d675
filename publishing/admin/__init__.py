from .base import PublishableAdmin
from .filters import DateFilter, ItemFilter, StateFilter
from .site import SiteSettingsAdmin

__all__ = ["DateFilter", "ItemFilter", "PublishableAdmin", "SiteSettingsAdmin", "StateFilter"]
