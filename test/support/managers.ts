import { join } from 'node:path'
import { createManager, type Manager, type ManagerOptions } from '../../src/privacyManager/createManager.ts'
import { generateKeyPair, type KeyPair } from '../../src/privacyManager/keys.ts'
import { systemClock } from '../../src/system/clock.ts'
import { createSilentLogs } from './silentLogs.ts'

/** Managers of one network on this machine. */
export interface Managers {
  /** Starts a manager, or starts it again: name, keys and port stay. */
  start(name: string, more?: Partial<ManagerOptions>): Promise<Manager>
  stop(name: string): Promise<void>
  /** Resolves when all that run know each other's keys. */
  meet(): Promise<void>
  folderOf(name: string): string
  keysOf(name: string): readonly KeyPair[]
  stopAll(): Promise<void>
}

/** Milliseconds between announcements: short, so that tests are. */
const interval = 100

export function createManagers(folder: string): Managers {
  const running = new Map<string, Manager>()
  const keys = new Map<string, readonly KeyPair[]>()
  const ports = new Map<string, number>()
  const urls = new Set<string>()

  function keysOf(name: string): readonly KeyPair[] {
    if (!keys.has(name)) keys.set(name, [generateKeyPair()])
    return keys.get(name)!
  }

  const folderOf = (name: string) => join(folder, name)

  return {
    keysOf,
    folderOf,
    async start(name, more = {}) {
      if (more.keys) keys.set(name, more.keys)
      const manager = await createManager(
        {
          path: folderOf(name),
          keys: keysOf(name),
          peerApi: { host: '127.0.0.1', port: ports.get(name) ?? 0 },
          peers: [...urls],
          nodeApi: { host: '127.0.0.1', port: 0, hostAllowlist: ['127.0.0.1'] },
          interval,
          ...more,
        },
        { log: createSilentLogs(), clock: systemClock },
      )
      ports.set(name, Number(new URL(manager.url).port))
      urls.add(manager.url)
      running.set(name, manager)
      return manager
    },
    async stop(name) {
      await running.get(name)?.close()
      running.delete(name)
    },
    async meet() {
      const all = [...running.values()].flatMap((manager) => manager.keys)
      const isDone = () =>
        [...running.values()].every((manager) => {
          const known = new Set(manager.knownKeys())
          return all.every((key) => known.has(key))
        })
      while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 20))
    },
    async stopAll() {
      await Promise.all([...running.values()].map((manager) => manager.close()))
      running.clear()
    },
  }
}
