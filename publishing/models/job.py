from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class JobQuerySet(models.QuerySet):
    def due(self, now):
        """Return jobs that may be claimed: ready and due, or held under a lease that ran out."""
        ready = Q(state=Job.State.READY, run_after__lte=now)
        abandoned = Q(state=Job.State.RUNNING, lease_until__lt=now)
        return self.filter(ready | abandoned).order_by("run_after", "pk")


class Job(models.Model):
    """Work for the worker. The row carries the truth; the task engine only says “look”."""

    class State(models.TextChoices):
        READY = "ready", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=200, unique=True, help_text="The same key is the same work, done once.")
    payload = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State.choices, default=State.READY)
    attempts = models.PositiveSmallIntegerField(default=0)
    run_after = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField(null=True)
    token = models.UUIDField(null=True, help_text="Fences off a worker that lost its lease.")
    progress = models.PositiveIntegerField(default=0)
    progress_of = models.PositiveIntegerField(default=0)
    result = models.JSONField(null=True)
    last_error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        indexes = [
            models.Index(fields=["run_after", "id"], condition=Q(state="ready"), name="job_ready"),
            models.Index(fields=["lease_until"], condition=Q(state="running"), name="job_running"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Heartbeat(models.Model):
    """When a worker last said that it lives; one row a worker."""

    name = models.CharField(max_length=100, unique=True)
    beat_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name
