import { integer } from '../../codecs/integer.ts'
import { method } from '../../protocol/method.ts'

/** The level of Erigon's methods, which Otterscan asks for. */
const level = 8

export const ots_getApiLevel = method({
  name: 'ots_getApiLevel',
  doc: "Returns the level of Otterscan's methods that the node has: 8, as Erigon.",
  needs: [],
  params: [],
  result: integer,
  handler: () => level,
})
