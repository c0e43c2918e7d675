// Set by ear where a file stands on the episode's timeline: “Now”, as the words begin. Without it, type seconds.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("[data-media-offset]");
  const now = form.querySelector("[data-now]");
  if (!now) return;
  const media = form.querySelector("audio, video");
  const cue = Number(form.querySelector("[data-cue]").dataset.cue);
  now.hidden = false;
  now.addEventListener("click", () => {
    form.elements.offset.value = (media.currentTime - cue / 1000).toFixed(2);
  });
});
