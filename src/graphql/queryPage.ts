/** A page to write queries in; it loads nothing from other servers. */
export const queryPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Quoin GraphQL</title>
<style>
  * { box-sizing: border-box }
  body { margin: 0; height: 100vh; display: grid; grid-template: auto 3fr auto 1fr / 1fr 1fr 20rem; gap: .5rem; padding: .5rem;
    font: 14px/1.4 system-ui, sans-serif; color: #222; background: #f4f4f2 }
  header { grid-column: 1 / -1; display: flex; gap: 1rem; align-items: center }
  h1 { font-size: 1rem; margin: 0 }
  button { font: inherit; padding: .3rem 1rem; border: 0; border-radius: 4px; background: #1f5f8b; color: #fff; cursor: pointer }
  textarea, pre, aside { margin: 0; padding: .6rem; border: 1px solid #ccc; border-radius: 4px; background: #fff; overflow: auto }
  textarea, pre { font: 13px/1.45 ui-monospace, monospace; tab-size: 2 }
  textarea { resize: none }
  #query { grid-area: 2 / 1 }
  #result { grid-area: 2 / 2 / 5 / 3; white-space: pre-wrap; word-break: break-all }
  label { grid-area: 3 / 1; font-weight: 600 }
  #variables { grid-area: 4 / 1 }
  aside { grid-area: 2 / 3 / 5 / 4; font-size: 13px }
  summary { cursor: pointer; font-weight: 600 }
  dl { margin: .2rem 0 .6rem .8rem }
  dt { font-family: ui-monospace, monospace }
  dd { margin: 0 0 .3rem .8rem; color: #666 }
  a { color: #1f5f8b; text-decoration: none }
  @media (prefers-color-scheme: dark) {
    body { background: #1b1b1b; color: #ddd }
    textarea, pre, aside { background: #242424; color: #ddd; border-color: #444 }
    dd { color: #999 } a { color: #7db8dc }
  }
</style>
</head>
<body>
<header><h1>Quoin GraphQL</h1><button id="run" title="Ctrl+Enter or Cmd+Enter">Run</button><span id="status"></span></header>
<textarea id="query" spellcheck="false" aria-label="Query">{
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
}</textarea>
<label for="variables">Variables (JSON)</label>
<textarea id="variables" spellcheck="false"></textarea>
<pre id="result" aria-label="Answer"></pre>
<aside id="schema" aria-label="Schema"></aside>
<script>
const element = (id) => document.getElementById(id)
async function ask(body) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  })
  return [response.status, await response.text()]
}
async function run() {
  const started = performance.now()
  try {
    const text = element('variables').value.trim()
    const body = { query: element('query').value }
    if (text !== '') body.variables = JSON.parse(text)
    const [status, answer] = await ask(body)
    element('status').textContent = status + ' · ' + Math.round(performance.now() - started) + ' ms'
    element('result').textContent = JSON.stringify(JSON.parse(answer), undefined, 2)
  } catch (error) {
    element('status').textContent = ''
    element('result').textContent = String(error)
  }
}
element('run').onclick = run
document.onkeydown = (event) => { if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') run() }
const typeText = (type) => type.kind === 'NON_NULL' ? typeText(type.ofType) + '!'
  : type.kind === 'LIST' ? '[' + typeText(type.ofType) + ']' : type.name
const argumentText = (args) => args.length ? '(' + args.map((a) => a.name + ': ' + typeText(a.type)).join(', ') + ')' : ''
function add(parent, tag, text) {
  const child = parent.appendChild(document.createElement(tag))
  if (text) child.textContent = text
  return child
}
const nested = (levels) => levels ? 'kind name ofType{' + nested(levels - 1) + '}' : 'kind name'
const reference = nested(7)
const schemaQuery = '{__schema{types{kind name description fields{name description args{name type{' + reference + '}} type{'
  + reference + '}} inputFields{name description type{' + reference + '}}}}}'
async function showSchema() {
  const [, answer] = await ask({ query: schemaQuery })
  const types = JSON.parse(answer).data.__schema.types.filter((type) => !type.name.startsWith('__'))
  const order = ['Query', 'Mutation']
  const rank = ({ name }) => order.includes(name) ? order.indexOf(name) : order.length
  for (const type of types.sort((a, b) => rank(a) - rank(b))) {
    const details = add(element('schema'), 'details')
    details.open = type.name === 'Query'
    add(details, 'summary', type.name)
    if (type.description) add(details, 'p', type.description)
    const list = add(details, 'dl')
    for (const field of type.fields || type.inputFields || []) {
      add(list, 'dt', field.name + argumentText(field.args || []) + ': ' + typeText(field.type))
      if (field.description) add(list, 'dd', field.description)
    }
  }
}
showSchema()
</script>
</body>
</html>
`
