// The question box is shut from a question to the end of a run of the whole page. Where a part of the page runs right after
// that, a busy browser sees the end of the part alone, and would keep the box shut for ever (Streamlit 1.67). So the page is
// asked for once more where the box is still shut though the page was drawn since, and nothing runs, at two looks.
const LOOK_MS = 1000;
const SHUT = "[data-testid='stChatInputStopButton']";
const IDLE = "[data-testid='stApp'][data-test-script-state='notRunning']";

let [drawn, shutSince, lookedShut, looking, ask] = [null, null, false, null, null];

function note() {
  shutSince = document.querySelector(SHUT) ? (shutSince ?? drawn) : null;
}
const onClick = () => setTimeout(note);
const onKey = (event) => event.key === "Enter" && onClick();
function look() {
  note();
  const shut = shutSince !== null && shutSince !== drawn && document.querySelector(IDLE) !== null;
  if (shut && lookedShut) ask();
  lookedShut = shut && !lookedShut;
}

export default function ({ data, setTriggerValue }) {
  drawn = data.drawn;
  ask = () => setTriggerValue("shut", true);
  if (looking) return;
  looking = setInterval(look, LOOK_MS);
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);
  return () => {
    clearInterval(looking);
    looking = null;
    document.removeEventListener("click", onClick);
    document.removeEventListener("keydown", onKey);
  };
}
