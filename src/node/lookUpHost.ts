import { lookup } from 'node:dns/promises'
import type { LookUp } from '../permissioning/nodeEntry.ts'

/** Asks the system for the address of a host name; IPv4 comes first, as peers mostly use it. */
export const lookUpHost: LookUp = async (name) => {
  try {
    const [first] = await lookup(name, { all: true, verbatim: false })
    return first?.address
  } catch {
    return undefined
  }
}
