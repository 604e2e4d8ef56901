require('@nomicfoundation/hardhat-toolbox')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const { subtask } = require('hardhat/config')
const solc = require('solc')

// The compiler comes from npm like everything else; Hardhat would fetch it from another place.
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async ({ solcVersion }) => ({
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
  version: solcVersion,
  longVersion: solc.version(),
}))

// Accounts of the development chain and of `quoin network`, whose keys are public.
const keys = [
  '0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63',
  '0xc87509a1c067bbde78beb793e6fa76530b6382a4c0241e5e4a9ec0a0f44dc0d3',
]

module.exports = {
  solidity: '0.8.28',
  networks: { quoin: { url: process.env.QUOIN_URL ?? 'http://127.0.0.1:8545', accounts: keys } },
}
