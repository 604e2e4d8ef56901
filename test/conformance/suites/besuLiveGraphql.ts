import { forms, inForm } from '../graphql/forms.ts'
import type { Suite } from '../suite.ts'
import { exchange, liveCases, startLive } from './besuLive.ts'

export const besuLiveGraphql: Suite = {
  name: 'besu-live-graphql',
  doc: 'GraphQL answers recorded from a running Besu 24.1.2, with Longs as integers and in hex.',
  async *cases(data) {
    const served = await startLive(data)
    try {
      for (const form of forms) {
        const url = await served.serveGraphql(form === 'hex')
        for (const one of data.share(liveCases(data, 'graphql'))) {
          const http = { path: '/graphql', ...one.http }
          const item = { ...one, http, response: inForm(one.response, form) }
          yield { name: `${form}/${one.name}`, run: () => exchange(item, url, new Map()) }
        }
      }
    } finally {
      await served.close()
    }
  },
}
