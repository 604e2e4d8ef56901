/** Reads what the browser keeps under a name; `otherwise` if there is nothing or it cannot be read. */
export function readKept<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`quoin.${name}`)
    return text === null ? otherwise : (JSON.parse(text) as T)
  } catch {
    return otherwise
  }
}

/** Keeps something in the browser; where it keeps nothing (private windows, full), it is forgotten with the page. */
export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`quoin.${name}`, JSON.stringify(value))
  } catch {
    // Nothing depends on it.
  }
}
