function readConfig(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const error = new Error('bad configuration');
    error.cause = cause.name;
    throw error;
  }
}
for (const text of ['{"a":1}', '{']) {
  try {
    console.log(readConfig(text).a);
  } catch ({ message, cause }) {
    console.log(message, 'because of', cause);
  }
}
