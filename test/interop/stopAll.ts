import type { NodeProcess } from './nodeProcess.ts'

/** Does something with nodes and ends all of them, however that went. */
export async function stopAll(nodes: readonly NodeProcess[], action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
  }
}
