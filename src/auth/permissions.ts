/** Whether a caller may call a method, by its full name such as `eth_call`. */
export type MayCall = (method: string) => boolean

/** The permission of all methods. */
const everything = '*:*'

/** The permission of a method: `eth_call` needs `eth:call`. */
function permissionOf(method: string): string {
  return method.replace('_', ':')
}

/** The permission of a namespace, in the letters of its methods. */
function allOf(namespace: string): string {
  return `${namespace}:*`
}

/**
 * Returns which methods a list of permissions allows. As in Besu a permission is `*:*`, `namespace:*` or `namespace:method`,
 * compared letter by letter.
 */
export function createMayCall(permissions: readonly string[]): MayCall {
  const granted = new Set(permissions)
  if (granted.has(everything)) return () => true
  // Only methods that are served are asked for, so that there are few.
  const known = new Map<string, boolean>()
  return (method) => {
    let may = known.get(method)
    if (may === undefined) {
      may = granted.has(permissionOf(method)) || granted.has(allOf(method.slice(0, method.indexOf('_'))))
      known.set(method, may)
    }
    return may
  }
}

/** Whether a list of permissions allows all methods of a namespace. */
export function mayCallAll(permissions: readonly string[], namespace: string): boolean {
  return permissions.includes(everything) || permissions.includes(allOf(namespace))
}
