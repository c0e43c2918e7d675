// Play just the span of a quote, by a clock of its own. Without this script the browser's controls do.
// Nothing is loaded before the reader asks.
"use strict";

for (const player of document.querySelectorAll("[data-clip-player]")) {
  const media = player.querySelector("audio, video");
  const [start, end] = [Number(player.dataset.start), Number(player.dataset.end)];
  const part = (name) => player.querySelector(`[data-${name}]`);
  const [toggle, label, clock, track, trouble] = ["toggle", "toggle-label", "clock", "track", "trouble"].map(part);
  let wanted = start; // where to begin once the file is there

  const isLoaded = () => media.readyState >= HTMLMediaElement.HAVE_METADATA;
  const now = () => Math.min(Math.max(isLoaded() ? media.currentTime : wanted, start), end);

  function show() {
    const ms = Math.round((now() - start) * 1000);
    clock.textContent = formatTimecode(ms);
    track.value = ms / 1000;
    track.setAttribute("aria-valuetext", clock.textContent);
    player.toggleAttribute("data-playing", !media.paused);
    label.textContent = media.paused ? toggle.dataset.play : toggle.dataset.pause;
  }

  function seek(time) {
    wanted = time;
    if (isLoaded()) media.currentTime = time;
  }

  function stopAtEnd() {
    if (media.currentTime >= end && !media.paused) {
      media.pause();
      media.currentTime = end;
    }
    show();
  }

  function follow() {
    stopAtEnd();
    if (!media.paused) requestAnimationFrame(follow);
  }

  function playOrPause() {
    if (!media.paused) {
      media.pause();
      return;
    }
    trouble.hidden = true;
    if (now() >= end - 0.01) seek(start);
    media.play().catch(show); // what went wrong comes as an "error"
  }

  media.addEventListener("loadedmetadata", () => {
    if (Math.abs(media.currentTime - wanted) > 0.01) media.currentTime = wanted;
  });
  media.addEventListener("play", follow);
  for (const event of ["pause", "seeked", "ended"]) media.addEventListener(event, show);
  media.addEventListener("timeupdate", stopAtEnd); // where no frames are drawn, as in a hidden tab
  media.addEventListener("error", () => {
    trouble.hidden = false;
    show();
  });
  toggle.addEventListener("click", playOrPause);
  track.addEventListener("input", () => {
    seek(start + Number(track.value));
    show();
  });
  if (media.localName === "video") media.addEventListener("click", playOrPause);

  media.controls = false;
  toggle.hidden = clock.parentElement.hidden = track.hidden = false;
  player.setAttribute("data-ready", "");
  show();
}
