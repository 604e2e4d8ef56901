// Errors as data, one family: docs/adr/0001-foundations.md.

/** An error with data: `at.code` names the error, the other members of `at` are its details. */
export class Fault<T extends { readonly code: string }> extends Error {
  readonly at: T

  /** Without `message` the text is the code and the details. */
  constructor(at: T, cause?: unknown, message: string = describeFault(at)) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.at = at
  }
}

/** Returns `CODE: sentence (key: value, …)`; the sentence is optional, and the details may be empty. */
export function describeFault(at: { readonly code: string }, sentence?: string): string {
  const parts: string[] = []
  for (const [key, value] of Object.entries(at)) if (key !== 'code') parts.push(`${key}: ${show(value)}`)
  const start = sentence === undefined ? at.code : `${at.code}: ${sentence}`
  return parts.length ? `${start} (${parts.join(', ')})` : start
}

function show(value: unknown): string {
  if (value instanceof Uint8Array) return '0x' + Buffer.from(value).toString('hex')
  return String(value)
}
