/** Whether an Accept header, or none, allows an answer in JSON. */
export function acceptsJson(accept: string | undefined): boolean {
  return accept === undefined || /\*\/\*|application\/(?:\*|json)/i.test(accept)
}
