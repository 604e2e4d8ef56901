import { boolean } from '../../codecs/boolean.ts'
import { address } from '../../codecs/bytes.ts'
import { method, param } from '../../protocol/method.ts'

export const clique_discard = method({
  name: 'clique_discard',
  doc: 'Discards the vote of this node on an account. Returns whether there was one.',
  needs: ['chain', 'clique'],
  params: [param('address', address)],
  result: boolean,
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73'],
  handler: ({ chain, clique }, [subject]) => clique.votes(chain)?.discard(subject) ?? false,
})
