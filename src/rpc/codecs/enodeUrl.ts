import { type Enode, parseEnode, parseNodeId } from '../../net/enode.ts'
import { NetError } from '../../net/fault.ts'
import { RpcError } from '../protocol/fault.ts'
import type { Decoder } from './codec.ts'

const form = /^enode:\/\/([^@]*)@([^:/?#[\]]+)(:.*)$/i

/** An `enode://` URL. As in Besu, a malformed one is a parse error, for which HTTP responds with status 400. */
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
    const [, id, , rest] = form.exec(json) ?? []
    if (id === undefined) throw new RpcError({ code: 'PARSE_ERROR' })
    if (!parseNodeId(id)) throw new RpcError({ code: 'INVALID_NODE_ID' })
    // If it is valid with an IP address, the host is a name.
    throw new RpcError({ code: read(`enode://${id}@127.0.0.1${rest}`) ? 'ENODE_DNS_DISABLED' : 'PARSE_ERROR' })
  },
}

/** An example node, whose key is the generator of the curve. */
export const exampleEnode =
  'enode://79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798' +
  '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8@127.0.0.1:30303'
