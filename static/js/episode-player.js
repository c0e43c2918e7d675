// Play an episode from a moment: #t=6110 in the address offers it, a click on such a link does it.
"use strict";

const player = document.querySelector("[data-episode-player]");
const media = player.querySelector("audio, video");
const offer = player.querySelector("[data-from]");
const label = player.querySelector("[data-from-label]");
let wanted = null; // where to begin once the file is there, in its own seconds

// Return the moment that a fragment names, in seconds, or null.
function momentOf(hash) {
  const match = /^#t=(\d{1,7}(?:\.\d{1,3})?)$/.exec(hash);
  return match ? Number(match[1]) : null;
}

function seek(moment) {
  wanted = Math.max(0, moment + Number(player.dataset.offset));
  if (media.readyState >= HTMLMediaElement.HAVE_METADATA) media.currentTime = wanted;
}

function offerFromAddress() {
  const moment = momentOf(location.hash);
  offer.hidden = moment === null;
  if (moment === null) return;
  label.textContent = label.dataset.text.replace("{time}", formatTimecode(moment * 1000));
  if (media.paused) seek(moment);
  player.scrollIntoView({ block: "center" });
}

function playFrom(moment) {
  seek(moment);
  offer.hidden = true;
  media.play().catch(() => {}); // the browser's controls tell
}

media.addEventListener("loadedmetadata", () => {
  if (wanted !== null) media.currentTime = wanted;
});
player.querySelector("[data-from-button]").addEventListener("click", () => playFrom(momentOf(location.hash)));
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#t=']");
  const moment = link && momentOf(link.hash);
  if (moment === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.replaceState(null, "", link.hash);
  playFrom(moment);
});
window.addEventListener("hashchange", offerFromAddress);
offerFromAddress();
