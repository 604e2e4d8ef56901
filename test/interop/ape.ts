import { join } from 'node:path'
import { abi, bytecode } from '../clients/counter.ts'
import type { Interop } from './interop.ts'
import { createPythonPackages } from './pythonPackages.ts'
import { runSayingProgram } from './sayingProgram.ts'
import { accounts, type ToolChain, withDevChain, withQbftChain } from './toolChain.ts'

const packages = createPythonPackages('ape', ['eth-ape==0.8.52'])

/** What a project of Ape does; each line that it says is a check. */
const program = `import json, os
import ape
from ape.contracts import ContractContainer
from ape.exceptions import ContractLogicError
from ape_accounts import import_account_from_private_key
from eth_utils import to_checksum_address
from ethpm_types import ContractType
from web3.middleware import ExtraDataToPOAMiddleware

def say(name, right):
    print(('ok ' if right else 'wrong ') + name, flush=True)

def reason(call):
    try:
        call()
    except ContractLogicError as error:
        return error.revert_message
    except Exception as error:
        return type(error).__name__ + ': ' + str(error)

c = json.loads('${JSON.stringify({ abi, bytecode })}')
with ape.networks.parse_network_choice(os.environ['QUOIN_URL']) as provider:
    # Ape looks whether blocks have more extra data than those of the main network, and does not find it with this web3.py.
    if ExtraDataToPOAMiddleware not in provider.web3.middleware_onion:
        provider.web3.middleware_onion.inject(ExtraDataToPOAMiddleware, layer=0)
    say('connection', provider.is_connected and provider.chain_id == 1337)
    account = import_account_from_private_key('tester', 'ApeTester1!', os.environ['QUOIN_KEY'])
    account.set_autosign(True, passphrase='ApeTester1!')
    other = to_checksum_address('0x' + 'cc'.rjust(40, '0'))
    receipt = account.transfer(other, 1)
    say('transfer', receipt.status == 1 and provider.get_balance(other) == 1)
    ct = ContractType.model_validate({'contractName': 'Counter', 'abi': c['abi'], 'deploymentBytecode': {'bytecode': c['bytecode']}})
    counter = account.deploy(ContractContainer(ct))
    say('deploy', counter.get() == 0)
    receipt = counter.set(5, sender=account)
    say('write', counter.get() == 5)
    say('event', [dict(log.event_arguments) for log in receipt.events] == [{'who': account.address, 'value': 5}])
    say('revert', reason(lambda: counter.set(2000, sender=account)) == 'too large')
    say('trace', receipt.trace.get_calltree().address is not None)
    height = ape.chain.blocks.height
    df = ape.chain.blocks.query('number', 'hash', start_block=0, stop_block=height)
    say('query of blocks', len(df) == height + 1)
`

export const ape: Interop = {
  name: 'ape',
  doc: 'Ape on the development network and QBFT: transfer, deploy, write, read, events, errors of reverted calls, traces, queries.',
  whyNot: () => packages.fetch(),
  async run({ checks, folder }) {
    const run = ({ name, url }: ToolChain) => {
      const home = join(folder, `${name}-home`)
      const env = { QUOIN_URL: url, QUOIN_KEY: accounts[0]!.key, HOME: home }
      const [script, command] = [join(home, 'program.py'), [packages.python] as const]
      return runSayingProgram(checks, `${name}: Ape`, { text: program, script, command, env })
    }
    await withDevChain(folder, run)
    // Besu's form of errors is not recognised.
    await withQbftChain(folder, run, { QUOIN_RPC_REVERT_FORMAT: 'GETH' })
  },
}
