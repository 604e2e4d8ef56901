/** Whether a request accepts JSON, by its Accept header; without one it does. */
export function acceptsJson(accept: string | undefined): boolean {
  return accept === undefined || /\*\/\*|application\/(?:\*|json)/i.test(accept)
}
