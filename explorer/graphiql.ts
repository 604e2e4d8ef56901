import { GraphiQL } from 'graphiql'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const welcome = `# Queries of this node's GraphQL. Ctrl+Enter or Cmd+Enter runs them, Ctrl+Space completes.
{
  block {
    number
    hash
    timestamp
    gasUsed
    miner { address balance }
    transactions { hash from { address } to { address } value status }
  }
  pending { transactionCount }
  gasPrice
}
`

/** Asks the GraphQL of the server that the page comes from; nobody else is asked. */
async function ask(query: object, { headers = {} }: { headers?: Record<string, string> } = {}): Promise<object> {
  const response = await fetch('graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(query),
  })
  if (response.status === 404)
    return { errors: [{ message: 'This node does not serve GraphQL (--graphql-http-enabled).' }] }
  if (response.status === 401)
    return { errors: [{ message: 'This node wants a token: set the header Authorization.' }] }
  return (await response.json()) as object
}

createRoot(document.getElementById('app')!).render(
  createElement(GraphiQL, { fetcher: ask as never, defaultQuery: welcome, shouldPersistHeaders: false }),
)
