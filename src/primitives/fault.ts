/** An error that is data: `at.code` names what went wrong, the other members say with what. */
export class Fault<T extends { readonly code: string }> extends Error {
  readonly at: T

  /** `message` is for faults that a person reads as they are; others show their code and data. */
  constructor(at: T, cause?: unknown, message: string = describe(at)) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.at = at
  }
}

function describe(at: { readonly code: string }): string {
  const parts: string[] = []
  for (const [key, value] of Object.entries(at)) if (key !== 'code') parts.push(`${key}: ${show(value)}`)
  return parts.length ? `${at.code} (${parts.join(', ')})` : at.code
}

function show(value: unknown): string {
  if (value instanceof Uint8Array) return '0x' + Buffer.from(value).toString('hex')
  return String(value)
}
