import { createContext, runInContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GraphqlChain, openGraphqlChain } from '../../test/support/graphqlChain.ts'
import { queryPage } from './queryPage.ts'
import { typeDefs } from './typeDefs.ts'

let node: GraphqlChain
beforeEach(() => {
  node = openGraphqlChain()
})
afterEach(() => node.close())

/** As much of an element as the page uses. */
interface PageElement {
  readonly tag: string
  readonly children: PageElement[]
  textContent: string
  value: string
  appendChild(child: PageElement): PageElement
}

function createElement(tag: string): PageElement {
  const children: PageElement[] = []
  const appendChild = (child: PageElement) => {
    children.push(child)
    return child
  }
  return { tag, children, textContent: '', value: '', appendChild }
}

const textsOf = (element: PageElement, tag: string): string[] => [
  ...(element.tag === tag ? [element.textContent] : []),
  ...element.children.flatMap((child) => textsOf(child, tag)),
]

/** Runs the page's script over the real schema. */
function openPage() {
  const elements = new Map<string, PageElement>()
  const document: { onkeydown?: (event: object) => void; getElementById: unknown; createElement: unknown } = {
    getElementById: (id: string) => elements.get(id) ?? elements.set(id, createElement(id)).get(id),
    createElement,
  }
  const asked: Promise<unknown>[] = []
  const fetch = (_: string, { body }: { body: string }) => {
    const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> }
    const reply = node.ask(query, variables).then(({ status, body: data }) => ({
      status,
      text: async () => JSON.stringify(data),
    }))
    asked.push(reply)
    return reply
  }
  const script = /<script>(.*)showSchema\(\)\n<\/script>/s.exec(queryPage)![1]!
  const context = createContext({ document, fetch, performance })
  runInContext(script, context)
  const showSchema = () => runInContext('showSchema()', context) as Promise<void>
  return { elements, document, asked, showSchema }
}

test('the page shows every type of the schema, with every field', async () => {
  const { elements, showSchema } = openPage()
  await showSchema()
  const schema = elements.get('schema')!
  const declared = [...typeDefs(false).matchAll(/^(?:type|input|scalar|enum) (\w+)/gm)].map(([, name]) => name!)
  expect(declared.length).toBeGreaterThan(15)
  expect(textsOf(schema, 'summary')).toEqual(expect.arrayContaining(declared))
  expect(textsOf(schema, 'dt').join('\n')).not.toContain('undefined')
  expect(textsOf(schema, 'dt')).toContain('logs(filter: BlockFilterCriteria!): [Log!]!')
  expect(textsOf(schema, 'dt')).toContain('topics: [[Bytes32!]!]')
})

test.each(['ctrlKey', 'metaKey'])('Enter runs the query together with %s', (key) => {
  const { document, asked } = openPage()
  document.onkeydown!({ key: 'Enter' })
  expect(asked).toHaveLength(0)
  document.onkeydown!({ key: 'Enter', [key]: true })
  expect(asked).toHaveLength(1)
})
