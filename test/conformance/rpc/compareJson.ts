import { Mismatch } from '../../../src/evmtool/expect.ts'

/** Parsed JSON, or undefined for what is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The first place where two JSON values differ; undefined when they are the same but for the order of members. */
function difference(have: unknown, want: unknown, path: string): string | undefined {
  if (have === want) return undefined
  if (!isObject(have) || !isObject(want) || Array.isArray(have) !== Array.isArray(want))
    return `${path} is ${show(have)}, expected ${show(want)}`
  for (const key of new Set([...Object.keys(want), ...Object.keys(have)])) {
    if (!(key in have)) return `${path}.${key} is missing, expected ${show(want[key])}`
    if (!(key in want)) return `${path}.${key} is ${show(have[key])}, expected nothing`
    const inner = difference(have[key], want[key], `${path}.${key}`)
    if (inner !== undefined) return inner
  }
  return undefined
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`
}

/** Compares whole JSON values. */
export function expectJson(have: unknown, want: unknown): void {
  const found = difference(have, want, '$')
  if (found !== undefined) throw new Mismatch(found)
}

/** Calls `visit` for each place that a path like `$.result[*].hash` names. */
export function visitPath(
  root: unknown,
  path: string,
  visit: (holder: Record<string, unknown>, key: string) => void,
): void {
  const keys = path.match(/[^.[\]$]+/g) ?? []
  const walk = (value: unknown, depth: number): void => {
    if (!isObject(value)) return
    const key = keys[depth]!
    const here = key === '*' ? Object.keys(value) : key in value ? [key] : []
    for (const one of here) {
      if (depth === keys.length - 1) visit(value, one)
      else walk(value[one], depth + 1)
    }
  }
  if (keys.length) walk(root, 0)
}
