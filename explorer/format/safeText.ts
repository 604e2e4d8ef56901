// Marks that turn the direction of writing, and control characters: shown as escapes, so that a text cannot pretend to be another.
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** Characters that are shown of a text at first. */
export const maxShown = 2000

/** Text of strangers with what cannot be seen made visible. */
export function revealHidden(text: string): string {
  return text.replace(hidden, (mark) =>
    mark === '\n' || mark === '\t' ? mark : `\\u{${mark.codePointAt(0)!.toString(16)}}`,
  )
}

/** The beginning of a text, and how many characters are left out. */
export function cutText(text: string, max = maxShown): { readonly shown: string; readonly left: number } {
  return text.length <= max ? { shown: text, left: 0 } : { shown: text.slice(0, max), left: text.length - max }
}
