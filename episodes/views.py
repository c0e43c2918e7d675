def show_list(request, **kwargs):
    raise NotImplementedError


def show_detail(request, **kwargs):
    raise NotImplementedError


def show_feed(request, **kwargs):
    raise NotImplementedError


def episode_detail(request, **kwargs):
    raise NotImplementedError


def episode_list(request, **kwargs):
    raise NotImplementedError


def guest_list(request, **kwargs):
    raise NotImplementedError


def guest_detail(request, **kwargs):
    raise NotImplementedError


def guest_feed(request, **kwargs):
    raise NotImplementedError


def topic_list(request, **kwargs):
    raise NotImplementedError


def topic_detail(request, **kwargs):
    raise NotImplementedError


def topic_feed(request, **kwargs):
    raise NotImplementedError


def site_feed(request, **kwargs):
    raise NotImplementedError


def feed_list(request, **kwargs):
    raise NotImplementedError


def short_link(request, **kwargs):
    raise NotImplementedError


def media(request, **kwargs):
    raise NotImplementedError


