import { type Abi, parseAbi } from 'viem'
import { soundAbi } from './soundAbi.ts'

/** Reads an ABI: JSON as compilers write it (also inside an artifact), or lines like `function f(uint256 x) view`. */
export function parseAbiText(text: string): Abi {
  const trimmed = text.trim()
  if (trimmed === '') throw new Error('There is no text.')
  if (!/^[[{]/.test(trimmed)) return readLines(trimmed)
  const json = readJson(trimmed)
  const abi = Array.isArray(json) ? json : (json as { abi?: unknown } | null)?.abi
  if (!Array.isArray(abi) || abi.length === 0)
    throw new Error('This JSON holds no ABI: a list, or an object with “abi”.')
  const sound = soundAbi(abi)
  if (sound.length < abi.length)
    throw new Error('An entry of this ABI is neither function, event nor error, or lacks its name or its inputs.')
  return sound
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('This is not valid JSON.')
  }
}

function readLines(text: string): Abi {
  const lines = text
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter(Boolean)
  try {
    return parseAbi(lines as readonly string[] as readonly [string]) as Abi
  } catch {
    throw new Error('These lines are not declarations of functions, events or errors.')
  }
}
