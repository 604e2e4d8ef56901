import { type Enode, parseEnode, parseNodeId } from '../../net/enode.ts'
import { NetError } from '../../net/fault.ts'
import { RpcError } from '../protocol/fault.ts'
import type { Decoder } from './codec.ts'

const form = /^enode:\/\/([^@]*)@([^:/?#[\]]+)(:.*)$/i

/** An `enode://` URL. As in Besu, one that cannot be read at all is a parse error, which HTTP answers with status 400. */
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
    // All is well but the host: then it is a name.
    throw new RpcError({ code: read(`enode://${id}@127.0.0.1${rest}`) ? 'ENODE_DNS_DISABLED' : 'PARSE_ERROR' })
  },
}

/** A node that does not exist: its key is the generator of the curve. */
export const exampleEnode =
  'enode://79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798' +
  '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8@127.0.0.1:30303'
