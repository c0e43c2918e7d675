// Draw a preview picture again while the fields are typed in that it names, as data-live-preview="name,tagline".
// Without this script it shows what is saved.
"use strict";

const PAUSE = 300; // milliseconds after the last key

function follow(picture) {
  const names = picture.dataset.livePreview.split(",");
  const fields = names.map((name) => document.querySelector(`form [name="${name}"]`)).filter(Boolean);
  let waiting = 0;

  const draw = () => {
    const address = new URL(picture.src);
    for (const field of fields) address.searchParams.set(field.name, field.value);
    picture.src = address.href;
  };

  for (const field of fields) {
    field.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(draw, PAUSE);
    });
  }
}

document.addEventListener("DOMContentLoaded", () => document.querySelectorAll("img[data-live-preview]").forEach(follow));
