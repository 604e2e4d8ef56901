/** Names of fields in a message, as in `imported #{number}`. */
export const namedFields = /\{(\w+)\}/g

/** Puts the values of fields in the places of their names. */
export function fillIn(message: string, fields: object): string {
  if (!message.includes('{')) return message
  const values: Readonly<Record<string, unknown>> = { ...fields }
  return message.replace(namedFields, (name, key: string) => (key in values ? showField(key, values[key]) : name))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const control = /[\x00-\x1f\x7f-\x9f]/

/** A value as text. What a peer sent cannot end the line or colour it; errors of this program have stacks of several lines. */
export function showField(key: string, value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return showField(key, value.join(', '))
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  const text = String(value)
  return key !== 'error' && control.test(text) ? JSON.stringify(text) : text
}
