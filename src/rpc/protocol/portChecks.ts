import type { RpcPorts } from './context.ts'
import type { Method } from './method.ts'

/** Whether there is all that a method needs. */
export function hasPorts({ needs }: Method, ports: RpcPorts): boolean {
  for (const port of needs) if (port !== 'budget' && !(port in ports)) return false
  return true
}

/** The same ports with the chain as it is now. */
export function pinned(ports: RpcPorts): RpcPorts {
  const view = ports.chain!()
  return { ...ports, chain: () => view }
}
