import { accessExclusions } from './access/differences.ts'
import { graphqlExclusions } from './graphql/exclusions.ts'
import { rpcExclusions } from './rpc/exclusions.ts'

/** Cases that say nothing about this product, and why. */
const exclusions: readonly { readonly suite: string; readonly name: RegExp; readonly reason: string }[] = [
  {
    suite: 'basic',
    name: /^ABITests\//,
    reason: 'ABI encoding of arguments is the business of clients; no part of a node does it',
  },
  {
    suite: 'basic',
    name: /^KeyStoreTests\//,
    reason: 'password-protected key stores are the business of wallets; the node key is a plain key file, as in Besu',
  },
  {
    suite: 'basic',
    name: /^BasicTests\/crypto\.json/,
    reason: "bare AES and an ECIES older than RLPx's; RLPx's own vectors are in the wire data",
  },
  {
    suite: 'basic',
    name: /^BasicTests\/blockgenesistest\.json/,
    reason: 'headers of 13 fields, from before the first public network',
  },
  {
    suite: 'difficulty',
    name: /^BasicTests\/difficulty(Morden|Olimpic)\.json/,
    reason: 'test networks that ended before 2017, with rules of their own',
  },
  {
    suite: 'genesis',
    name: /^secp256r1\.json/,
    reason: 'networks on the curve secp256r1 are refused with a clear message; only secp256k1 is supported',
  },
  {
    suite: 'blockchain',
    name: /randomStatetest94_/,
    reason:
      'one transaction of 4.7 · 10¹² gas takes 1.5 GB of memory; a transaction may have 768 MiB, so that every node can run it (docs/security.md)',
  },
  ...rpcExclusions,
  ...graphqlExclusions,
  ...accessExclusions,
]

/** Why a case is not run, or undefined when it is. */
export function exclusionOf(suite: string, name: string): string | undefined {
  return exclusions.find((exclusion) => exclusion.suite === suite && exclusion.name.test(name))?.reason
}
