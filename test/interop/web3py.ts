import { join } from 'node:path'
import { abi, bytecode } from '../clients/counter.ts'
import type { Interop } from './interop.ts'
import { createPythonPackages } from './pythonPackages.ts'
import { runSayingProgram } from './sayingProgram.ts'
import { accounts, withDevChain } from './toolChain.ts'

const packages = createPythonPackages('web3py', ['web3==8.0.0'])

/** What a program with web3.py does; each line that it prints is a check. */
const program = `import json, os
from web3 import Web3
from web3.exceptions import ContractLogicError

def say(name, right):
    print(('ok ' if right else 'wrong ') + name)

def reason(call):
    try:
        call()
    except ContractLogicError as error:
        return error.message
    except Exception as error:
        return type(error).__name__ + ': ' + str(error)

ipc = os.environ.get('QUOIN_IPC')
w3 = Web3(Web3.IPCProvider(ipc) if ipc else Web3.HTTPProvider(os.environ['QUOIN_URL']))
account = w3.eth.account.from_key(os.environ['QUOIN_KEY'])
say('connection', w3.is_connected())
say('chain id', w3.eth.chain_id == 1337)

def send(tx):
    tx = {**tx, 'from': account.address, 'nonce': w3.eth.get_transaction_count(account.address), 'chainId': 1337}
    tx.setdefault('gas', w3.eth.estimate_gas(tx))
    fee = {'maxFeePerGas': w3.to_wei(10, 'gwei'), 'maxPriorityFeePerGas': w3.to_wei(1, 'gwei')}
    raw = account.sign_transaction({**fee, **tx}).raw_transaction
    hash = w3.eth.send_raw_transaction(raw)
    receipt = w3.eth.wait_for_transaction_receipt(hash, poll_latency=0.05)
    return raw, hash, receipt

to = Web3.to_checksum_address('0x00000000000000000000000000000000000000cc')
raw, hash, receipt = send({'to': to, 'value': 1, 'gas': 21000})
say('transfer', receipt.status == 1 and w3.eth.get_balance(to) == 1)
say('raw transaction', w3.eth.get_raw_transaction(hash) == raw)
say('raw transaction by block', w3.eth.get_raw_transaction_by_block(receipt.blockNumber, receipt.transactionIndex) == raw
    and w3.eth.get_raw_transaction_by_block(receipt.blockHash, receipt.transactionIndex) == raw)
_, _, receipt = send({'data': '${bytecode}', 'value': 0})
counter = w3.eth.contract(address=receipt.contractAddress, abi=json.loads('${JSON.stringify(abi)}'))
data = counter.encode_abi('set', [5])
_, _, receipt = send({'to': counter.address, 'data': data, 'value': 0})
say('write', counter.functions.get().call() == 5)
say('events', counter.events.Changed().get_logs(from_block=0)[0].args.value == 5)
say('revert of a call', reason(lambda: counter.functions.set(2000).call()) == 'execution reverted: too large')
say('revert of an estimate', reason(lambda: counter.functions.set(2000).estimate_gas({'from': account.address})) == 'execution reverted: too large')
say('revert of a transaction', reason(lambda: counter.functions.set(2000).build_transaction({'from': account.address})) == 'execution reverted: too large')
`

export const web3py: Interop = {
  name: 'web3py',
  doc: 'web3.py on a development network, over HTTP and IPC: transfer, raw transactions, deploy, write, read, events, errors of reverted calls.',
  whyNot: () => packages.fetch(),
  async run({ checks, folder }) {
    const socket = join(folder, 'quoin.ipc')
    for (const way of ['HTTP', 'IPC'] as const)
      await withDevChain(
        join(folder, way),
        ({ name, url }) => {
          const env = { QUOIN_URL: url, QUOIN_KEY: accounts[0]!.key, ...(way === 'IPC' && { QUOIN_IPC: socket }) }
          const [script, command] = [join(folder, 'program.py'), [packages.python] as const]
          return runSayingProgram(checks, `${name}: web3.py over ${way}`, { text: program, script, command, env })
        },
        [`--ipc-path=${socket}`],
      )
  },
}
