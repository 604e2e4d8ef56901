import type { Abi } from 'viem'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Whether something is a list of parameters; those of tuples have parameters of their own. */
function areParameters(list: unknown, depth = 0): boolean {
  if (!Array.isArray(list) || depth > 16) return false
  return list.every((one: unknown) => {
    if (!isObject(one) || typeof one['type'] !== 'string') return false
    if (one['name'] !== undefined && typeof one['name'] !== 'string') return false
    return one['type'].startsWith('tuple') ? areParameters(one['components'], depth + 1) : true
  })
}

function isSound(entry: unknown): boolean {
  if (!isObject(entry)) return false
  const isNamed = typeof entry['name'] === 'string'
  switch (entry['type']) {
    case 'function':
      return isNamed && areParameters(entry['inputs']) && areParameters(entry['outputs'] ?? [])
    case 'event':
    case 'error':
      return isNamed && areParameters(entry['inputs'])
    case 'constructor':
      return areParameters(entry['inputs'] ?? [])
    default:
      return entry['type'] === 'fallback' || entry['type'] === 'receive'
  }
}

/** The entries of an ABI that can be used; the others are left out: ABIs come from whoever gave them. */
export function soundAbi(entries: readonly unknown[]): Abi {
  return entries
    .filter(isSound)
    .map((entry) =>
      (entry as { type: string }).type === 'function' ? { outputs: [], ...(entry as object) } : entry,
    ) as unknown as Abi
}
