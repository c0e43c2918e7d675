from .base import PublishableAdmin
from .children import ChildList
from .filters import DateFilter, ItemFilter, StateFilter
from .site import SiteSettingsAdmin

__all__ = ["ChildList", "DateFilter", "ItemFilter", "PublishableAdmin", "SiteSettingsAdmin", "StateFilter"]
