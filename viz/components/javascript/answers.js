/** What this browser keeps of lessons: the first answer to each question, and the finished lessons. */
const ANSWERS = "headlight-answers";
const FINISHED = "headlight-finished";

/** Keep an answer unless its question has one. A reload asks again; the first answer counts. */
export function keepAnswer(answer) {
  const answers = answersKept();
  if (answers.some(({ lesson, scene }) => lesson === answer.lesson && scene === answer.scene)) return;
  write(ANSWERS, [...answers, answer]);
}

export function answersKept() {
  return read(ANSWERS);
}

export function finish(lesson) {
  const names = lessonsFinished();
  if (!names.includes(lesson)) write(FINISHED, [...names, lesson]);
}

export function lessonsFinished() {
  return read(FINISHED);
}

/** Forget all answers and lessons: the next person at this browser begins anew. */
export function forgetLessons() {
  write(ANSWERS, []);
  write(FINISHED, []);
}

/** Read a list; it is empty where the browser keeps nothing, or something else was written. */
function read(name) {
  try {
    const list = JSON.parse(localStorage.getItem(name));
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

function write(name, list) {
  try {
    localStorage.setItem(name, JSON.stringify(list));
  } catch {
    // In a browser that keeps nothing, the lesson works without these.
  }
  window.dispatchEvent(new Event("headlight-answers"));
}
