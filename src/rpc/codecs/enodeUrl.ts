import { isIP } from 'node:net'
import { type Enode, parseEnode, parseNodeId } from '../../net/enode.ts'
import { NetError } from '../../net/fault.ts'
import type { PeersPort } from '../protocol/context.ts'
import { RpcError } from '../protocol/fault.ts'
import type { Decoder } from './codec.ts'

const form = /^enode:\/\/([^@]*)@([^:/?#[\]]+)(:.*)$/i

/**
 * An `enode://` URL, whose host may be a name: `withAddress` finds its address. As in Besu, a malformed one is a parse error,
 * for which HTTP responds with status 400.
 */
export const enodeUrl: Decoder<Enode> = {
  schema: { title: 'enode URL', type: 'string', pattern: '^enode://' },
  decode(json) {
    if (typeof json !== 'string') throw new RpcError({ code: 'PARSE_ERROR' })
    const read = (url: string) => {
      try {
        return parseEnode(url)
      } catch (error) {
        if (error instanceof NetError) return undefined
        throw error
      }
    }
    const enode = read(json)
    if (enode) return enode
    const [, id, host, rest] = form.exec(json) ?? []
    if (id === undefined) throw new RpcError({ code: 'PARSE_ERROR' })
    if (!parseNodeId(id)) throw new RpcError({ code: 'INVALID_NODE_ID' })
    // If it is valid with an IP address, the host is a name.
    const named = read(`enode://${id}@127.0.0.1${rest}`)
    if (!named) throw new RpcError({ code: 'PARSE_ERROR' })
    return { ...named, ip: host! }
  },
}

/** Replaces a host name by its address; fails where names are not enabled, or the name has no address. */
export async function withAddress(enode: Enode, peers: PeersPort | undefined): Promise<Enode> {
  if (isIP(enode.ip)) return enode
  const ip = await peers?.lookUp?.(enode.ip)
  if (ip === undefined) throw new RpcError({ code: 'ENODE_DNS_DISABLED' })
  return { ...enode, ip }
}

/** An example node, whose key is the generator of the curve. */
export const exampleEnode =
  'enode://79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798' +
  '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8@127.0.0.1:30303'
