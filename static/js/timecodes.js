// Write times as the server does: episodes/timecodes.py, with which this shares tests/data/timecodes.json.
"use strict";

// Return milliseconds as 1:41:50, 12:04 or 0:17: whole seconds, rounded down.
function formatTimecode(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
