'use strict'

// Runs inside Caliper, from its workspace. It asks what the workloads `simple` and `ERC-20` of caliper-benchmarks ask, which are not published as
// a package: https://github.com/hyperledger-caliper/caliper-benchmarks/tree/main/benchmarks/scenario
const { WorkloadModuleBase } = require('@hyperledger/caliper-core')

/** A word of small letters for each number. */
const wordOf = (number) =>
  number.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))

const initialMoney = 10_000
const money = 100
const tokenReceiver = '0xf17f52151EbEF6C7334FAD080c5704D77216b732'

class Calls extends WorkloadModuleBase {
  async initializeWorkloadModule(...terms) {
    await super.initializeWorkloadModule(...terms)
    this.next = this.roundArguments.firstAccount
  }

  nameOf(account) {
    return `${wordOf(this.workerIndex)}${wordOf(account)}`
  }

  /** One of the accounts that this worker has opened in the first round. */
  anyName() {
    return this.nameOf(Math.floor((Math.random() * this.roundArguments.accounts) / this.totalWorkers))
  }

  argsOf(verb, contract) {
    if (contract === 'ERC20') return [tokenReceiver, 1]
    if (verb === 'open') return [this.nameOf(this.next++), initialMoney]
    return verb === 'query' ? [this.anyName()] : [this.anyName(), this.anyName(), money]
  }

  async submitTransaction() {
    const { contract, verb } = this.roundArguments
    await this.sutAdapter.sendRequests({
      contract,
      verb,
      args: this.argsOf(verb, contract),
      readOnly: verb === 'query',
    })
  }
}

module.exports.createWorkloadModule = () => new Calls()
