/** What a page says about the calls that it made. */
export interface PageReport {
  readonly origin: string
  /** Results by method, in the order of the calls. */
  readonly results: Readonly<Record<string, unknown>>
  readonly status: string
  /** Number of the block that a subscription told of. */
  readonly head: string
}

/** How the page of a stranger fares. */
export interface StrangerReport {
  readonly origin: string
  readonly http: string
  readonly simple: string
  readonly ws: string
}

/** Functions that all pages have. Pages are no modules: this is their script. */
export const pageScript = `
let last = 0
async function rpc(url, method, ...params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++last, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = await response.json()
  if (error) throw new Error(method + ': ' + error.message)
  return result
}
async function until(ask) {
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
/** Resolves to what a subscription for new heads tells first. */
function nextHead(url) {
  const socket = new WebSocket(url)
  const head = new Promise((resolve, reject) => {
    socket.onerror = () => reject(new Error('WebSocket refused'))
    socket.onmessage = ({ data }) => {
      const { params } = JSON.parse(data)
      if (params) resolve(params.result.number)
    }
  })
  const subscribed = new Promise((resolve, reject) => {
    socket.onopen = () => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
      socket.addEventListener('message', resolve, { once: true })
    }
    socket.addEventListener('error', () => reject(new Error('WebSocket refused')))
  })
  return { head, subscribed }
}
/** What MetaMask asks when a network is added, an account is shown and a transfer is sent. */
async function wallet(url, wsUrl, key) {
  const results = {}
  const ask = async (method, ...params) => (results[method] = await rpc(url, method, ...params))
  const account = new ethers.Wallet(key)
  const to = '0x00000000000000000000000000000000000000bb'
  const chainId = await ask('eth_chainId')
  await ask('net_version')
  await ask('eth_blockNumber')
  const block = await ask('eth_getBlockByNumber', 'latest', false)
  await ask('eth_getBalance', account.address, 'latest')
  await ask('eth_getCode', to, 'latest')
  await ask('eth_call', { to, data: '0x01ffc9a780ac58cd00000000000000000000000000000000000000000000000000000000' }, 'latest')
  const gasLimit = await ask('eth_estimateGas', { from: account.address, to, value: '0x1', data: '0x' })
  const gasPrice = await ask('eth_gasPrice')
  await ask('eth_feeHistory', '0x5', 'latest', [10, 20, 30])
  const tip = await ask('eth_maxPriorityFeePerGas')
  const nonce = await ask('eth_getTransactionCount', account.address, 'pending')
  const maxPriorityFeePerGas = BigInt(tip) > 0n ? BigInt(tip) : BigInt(gasPrice)
  const maxFeePerGas = BigInt(block.baseFeePerGas) * 2n + maxPriorityFeePerGas
  const tx = { type: 2, chainId: BigInt(chainId), to, value: 1n, gasLimit, nonce: Number(nonce), maxFeePerGas, maxPriorityFeePerGas }
  const { head, subscribed } = nextHead(wsUrl)
  await subscribed
  const hash = await ask('eth_sendRawTransaction', await account.signTransaction(tx))
  const { status } = await until(() => ask('eth_getTransactionReceipt', hash))
  await ask('eth_getTransactionByHash', hash)
  return { origin: location.origin, results, status, head: await head }
}
/** What Remix asks of an external provider: accounts that it signs with, a deployment, a call. */
async function ide(url) {
  const results = {}
  const ask = async (method, ...params) => (results[method] = await rpc(url, method, ...params))
  await ask('web3_clientVersion')
  await ask('eth_chainId')
  await ask('net_version')
  const [from] = await ask('eth_accounts')
  await ask('eth_getBalance', from, 'latest')
  const data = '0x600a600c600039600a6000f3602a60005260206000f3'
  const gas = await ask('eth_estimateGas', { from, data, value: '0x0' })
  await ask('eth_getBlockByNumber', 'latest', false)
  await ask('eth_gasPrice')
  const hash = await ask('eth_sendTransaction', { from, data, gas, value: '0x0' })
  const { status, contractAddress } = await until(() => ask('eth_getTransactionReceipt', hash))
  await ask('eth_getCode', contractAddress, 'latest')
  await ask('eth_call', { to: contractAddress, from, data: '0x' }, 'latest')
  return { origin: location.origin, results, status, head: '' }
}
/** A page that tries to command a node that its visitor runs. */
async function stranger(url, wsUrl) {
  const said = (promise) => promise.then(() => 'done', (error) => error.message)
  // A request of this type is sent without asking the node first.
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })
  return {
    origin: location.origin,
    http: await said(rpc(url, 'eth_chainId')),
    simple: await said(fetch(url, { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body })),
    ws: await said(nextHead(wsUrl).subscribed),
  }
}
`

export const pageHtml =
  '<!doctype html><title>page</title><script src="ethers.js"></script><script src="page.js"></script>'
