import { AllowlistError } from './fault.ts'
import { type ListInFile, type ListKeys, readList, writeList } from './permissionsFile.ts'

/** An entry of an allowlist. */
export interface Entry<T> {
  /** As it stands in the file. */
  readonly text: string
  /** Its only form: entries with equal keys are the same. */
  readonly key: string
  readonly value: T
}

export interface AllowlistOptions<T> {
  readonly path: string
  readonly keys: ListKeys
  /** The key of an entry of the file, if the text alone shows it. */
  keyOf(text: string): string | undefined
  readonly entries: readonly Entry<T>[]
}

/** Entries in memory and in their file. */
export interface Allowlist<T> {
  entries(): readonly Entry<T>[]
  has(key: string): boolean
  /** Replaces all entries; the file stays as it is. */
  replace(entries: readonly Entry<T>[]): void
  /** Adds entries here and in the file; throws an AllowlistError if the file cannot be changed. */
  add(added: readonly Entry<T>[]): void
  /** Removes entries here and from the file; throws as above. */
  remove(keys: readonly string[]): void
  /** Calls the listener after each change. Returns a function that ends this. */
  onChange(listener: () => void): () => void
}

/** Creates an allowlist over a file that has been read. */
export function createAllowlist<T>({ path, keys, keyOf, entries }: AllowlistOptions<T>): Allowlist<T> {
  let current = byKey(entries)
  const listeners = new Set<() => void>()

  function apply(next: ReadonlyMap<string, Entry<T>>): void {
    current = next
    for (const listener of [...listeners]) listener()
  }

  /** Changes the file, then the entries: what cannot be written is not applied. */
  function change(next: ReadonlyMap<string, Entry<T>>): void {
    const error = persist(next)
    if (error?.at.code !== 'NOT_PERSISTED') apply(next)
    if (error) throw error
  }

  function persist(next: ReadonlyMap<string, Entry<T>>): AllowlistError | undefined {
    try {
      const file = readList(path, keys)
      const keysInFile = file.items.map((text) => keyInFile(text))
      for (const key of current.keys()) if (!keysInFile.includes(key)) return outOfSync(key)
      writeChange(file, keysInFile, next)
      return undefined
    } catch (error) {
      return new AllowlistError({ code: 'NOT_PERSISTED' }, error)
    }
  }

  /** A host name is known by its text: what it stood for when it was read counts. */
  function keyInFile(text: string): string | undefined {
    for (const entry of current.values()) if (entry.text === text) return entry.key
    return keyOf(text)
  }

  function writeChange(
    file: ListInFile,
    keysInFile: readonly (string | undefined)[],
    next: ReadonlyMap<string, Entry<T>>,
  ): void {
    // Entries that only the file has were added by the operator since, and stay.
    const isGone = (key: string | undefined) => key !== undefined && current.has(key) && !next.has(key)
    const removed = keysInFile.flatMap((key, index) => (isGone(key) ? [index] : []))
    const added = [...next.values()].filter(({ key }) => !keysInFile.includes(key)).map(({ text }) => text)
    writeList(path, file, { removed, added })
  }

  return {
    entries: () => [...current.values()],
    has: (key) => current.has(key),
    replace: (replacing) => apply(byKey(replacing)),
    add: (added) => change(byKey([...current.values(), ...added])),
    remove(removed) {
      change(byKey([...current.values()].filter(({ key }) => !removed.includes(key))))
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function outOfSync(key: string): AllowlistError {
  return new AllowlistError({ code: 'OUT_OF_SYNC' }, new Error(`${key} is not in the file`))
}

/** An entry that is given twice counts once. */
function byKey<T>(entries: readonly Entry<T>[]): ReadonlyMap<string, Entry<T>> {
  const map = new Map<string, Entry<T>>()
  for (const entry of entries) if (!map.has(entry.key)) map.set(entry.key, entry)
  return map
}
