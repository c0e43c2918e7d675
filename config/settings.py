"""Settings, read top to bottom from the environment; `.env.example` lists them all."""

from pathlib import Path

import environ
from csp.constants import NONE, SELF

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
env.read_env(BASE_DIR / ".env")  # optional file; real variables win

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY")
SITE_URL = env.str("SITE_URL", default="http://127.0.0.1:8000").rstrip("/")  # every absolute address begins with it
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var")))  # SQLite file and media
DATA_DIR.mkdir(parents=True, exist_ok=True)  # or the first migrate could open no file

INSTALLED_APPS = [
    "config.apps.NewsroomAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.forms",
    "csp",
    "allauth",
    "allauth.account",
    "django_tasks",
    "django_tasks_db",
    "publishing",
    "episodes",
    "quotes",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "publishing.middleware.SiteMiddleware",
    "publishing.request_size.RequestSizeMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "publishing.middleware.site_context",
            ],
            "builtins": ["django.templatetags.i18n", "django.templatetags.static"],
        },
    },
]

FORM_RENDERER = "django.forms.renderers.TemplatesSetting"  # widgets of ours live in templates/

# Database: SQLite beside the code by default; postgres://user:password@host/name for more.
DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'pullquote.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE takes the write lock when a transaction begins: readers that turn writers never deadlock.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,  # seconds to wait for another writer
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=60)  # seconds
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The log-in limits live in the cache, so the default is shared by every process: a table.
CACHES = {"default": env.cache("CACHE_URL", default="dbcache://publishing_cache")}

TASKS = {
    "default": {
        "BACKEND": env.str("TASKS_BACKEND", default="django_tasks_db.DatabaseBackend"),
        "QUEUES": [],
    }
}
JOB_LEASE_SECONDS = env.int("JOB_LEASE_SECONDS", default=60)  # renewed while a job works
JOB_MAX_ATTEMPTS = env.int("JOB_MAX_ATTEMPTS", default=5)

AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
ACCOUNT_ADAPTER = "publishing.accounts.ClosedAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "10/m/ip,5/5m/key",
}
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "admin:index"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
SESSION_COOKIE_AGE = 12 * 60 * 60  # seconds
SESSION_SAVE_EVERY_REQUEST = False
SESSION_COOKIE_HTTPONLY = True
HTTPS = SITE_URL.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=False)
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000 if HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
X_FRAME_OPTIONS = "DENY"
TRUSTED_PROXY = env.bool("TRUSTED_PROXY", default=False)  # a proxy in front sets X-Forwarded-Proto and -For itself
ALLAUTH_TRUSTED_PROXY_COUNT = int(TRUSTED_PROXY)  # whose address the log-in limits count
if TRUSTED_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "media-src": [SELF, "https:", "http:"],  # a show's own sound lives on its host; loaded on Play only
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "manifest-src": [SELF],
    }
}

LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"  # stored; readers see the time zone of the site's settings

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = DATA_DIR / "media"
WORK_DIR = DATA_DIR / "work"  # each job that needs one has a folder in it while it runs
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
FILE_UPLOAD_PERMISSIONS = 0o644
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000  # an episode form with every list full
DATA_UPLOAD_MAX_NUMBER_FILES = 400  # each media row sends one, empty or not
DATA_UPLOAD_MAX_MEMORY_SIZE = 20 * 1024 * 1024  # bytes

# Programs that read and cut sound and video. Empty: from the PATH, else the one of the package imageio-ffmpeg.
FFMPEG = env.str("FFMPEG", default="")
FFPROBE = env.str("FFPROBE", default="")

# Fonts that cards are set in besides those of requirements.txt and the system's: files or folders.
CARD_FONTS = env.list("CARD_FONTS", default=[])
X_ACCEL_PREFIX = env.str(
    "X_ACCEL_PREFIX", default=""
)  # nginx's internal location of the media folder, if it sends files
UPLOADS_MEGABYTES = env.int("UPLOADS_MEGABYTES", default=200_000)  # of all files that people bring in
UPLOADS_MEGABYTES_A_USER_A_DAY = env.int("UPLOADS_MEGABYTES_A_USER_A_DAY", default=20_000)  # within 24 hours
CLIPS_MEGABYTES = env.int("CLIPS_MEGABYTES", default=5000)  # of rendered clips; those longest unused go first
CLIPS_PRERENDER = env.bool(
    "CLIPS_PRERENDER", default=False
)  # make clips when a quote is published, before anybody asks
CLIP_QUEUE = env.int("CLIP_QUEUE", default=50)  # clips that may wait; who asks beyond is told to come back
CLIP_STARTS_AN_HOUR = env.int("CLIP_STARTS_AN_HOUR", default=20)  # clips that one address may have made

MADE_FILES_MEGABYTES = env.int("MADE_FILES_MEGABYTES", default=1000)  # cards and small pictures; the unused go first

PUBLIC_EXPORTS = env.bool("PUBLIC_EXPORTS", default=False)  # all live episodes and quotes as files, under /exports/

WEBSUB_HUB = env.str("WEBSUB_HUB", default="")  # told when a feed changes, so that readers need not ask

FETCH_ALLOW_HOSTS = env.list("FETCH_ALLOW_HOSTS", default=[])  # host:port that may be private
IMPORT_CHUNK_SIZE = 100  # items in one transaction

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
}
