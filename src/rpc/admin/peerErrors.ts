import type { ErrorDoc } from '../method.ts'

/** Errors of the methods that take an enode URL. */
export const peerErrors: readonly ErrorDoc[] = [
  [-32700, 'The enode URL cannot be read.'],
  [-32000, 'The node ID is invalid, or the peer-to-peer network is off.'],
  [-32100, 'The enode URL has a host name, or names this node itself.'],
]
