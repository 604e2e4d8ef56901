import { isJsonObject } from '../../primitives/json.ts'

/** What calls of the same code have in common: the contract and the function. They are read from parameters that nobody has checked yet. */
export function sameCode([call]: readonly unknown[]): string {
  if (!isJsonObject(call)) return ''
  const { to, data, input } = call
  const code = typeof data === 'string' ? data : input
  return `${short(to, 42)} ${short(code, 10)}`
}

const short = (text: unknown, length: number): string =>
  typeof text === 'string' ? text.slice(0, length).toLowerCase() : ''
