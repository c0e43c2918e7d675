def home(request, **kwargs):
    raise NotImplementedError


def quote_list(request, **kwargs):
    raise NotImplementedError


def quotes_feed(request, **kwargs):
    raise NotImplementedError


def quote_detail(request, **kwargs):
    raise NotImplementedError


def short_link(request, **kwargs):
    raise NotImplementedError


def how(request, **kwargs):
    raise NotImplementedError


