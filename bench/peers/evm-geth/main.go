// The workloads of bench/evm.ts on go-ethereum's interpreter and StateDB.
//
// Argument: the file with the workloads. Each line of standard input names one; it is run once, from a fresh state, and
// answered with a line of JSON: gas, CPU seconds of the thread, the last output.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"runtime"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/state/snapshot"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/triedb"
	"github.com/holiman/uint256"
	"golang.org/x/sys/unix"
)

type account struct {
	Code        hexutil.Bytes
	Balance     common.Hash
	Storage     map[common.Hash]common.Hash
	FilledSlots uint64
}

type call struct {
	To   *common.Address
	Data hexutil.Bytes
}

type workload struct {
	Name     string
	Accounts map[common.Address]account
	Calls    []call
	OnDisk   bool
}

type input struct {
	Sender    common.Address
	Gas       uint64
	Workloads []workload
}

type answer struct {
	Gas     uint64        `json:"gas"`
	Seconds float64       `json:"seconds"`
	Output  hexutil.Bytes `json:"output"`
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

// cpuSeconds is the time that this thread has worked.
func cpuSeconds() float64 {
	var t unix.Timespec
	check(unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t))
	return float64(t.Sec) + float64(t.Nsec)/1e9
}

func fill(db *state.StateDB, accounts map[common.Address]account) {
	for address, a := range accounts {
		db.CreateAccount(address)
		db.SetNonce(address, 1)
		db.SetBalance(address, new(uint256.Int).SetBytes(a.Balance[:]))
		db.SetCode(address, a.Code)
		for key, value := range a.Storage {
			db.SetState(address, key, value)
		}
		for i := uint64(0); i < a.FilledSlots; i++ {
			db.SetState(address, common.BigToHash(new(big.Int).SetUint64(i)), common.BigToHash(new(big.Int).SetUint64(i+1)))
		}
	}
	db.Finalise(true)
}

// inMemory gives a state whose accounts and slots are all at hand.
func inMemory(w workload) func() *state.StateDB {
	return func() *state.StateDB {
		db := must(state.New(types.EmptyRootHash, state.NewDatabase(rawdb.NewMemoryDatabase()), nil))
		fill(db, w.Accounts)
		return db
	}
}

// onDisk gives a state over Pebble, read through the flat snapshot as a running node does.
func onDisk(w workload) func() *state.StateDB {
	folder := must(os.MkdirTemp("", "evm-geth-"))
	folders = append(folders, folder)
	disk := must(rawdb.NewPebbleDBDatabase(folder, 64, 64, "", false, false))
	tries := triedb.NewDatabase(disk, triedb.HashDefaults)
	cache := state.NewDatabaseWithNodeDB(disk, tries)
	db := must(state.New(types.EmptyRootHash, cache, nil))
	fill(db, w.Accounts)
	root := must(db.Commit(0, true))
	check(tries.Commit(root, false))
	return func() *state.StateDB {
		snapshots := must(snapshot.New(snapshot.Config{CacheSize: 16}, disk, tries, root))
		return must(state.New(root, cache, snapshots))
	}
}

var folders []string

func run(in *input, w workload, db *state.StateDB, config *params.ChainConfig) answer {
	block := vm.BlockContext{
		CanTransfer: core.CanTransfer,
		Transfer:    core.Transfer,
		GetHash:     func(uint64) common.Hash { return common.Hash{} },
		BlockNumber: big.NewInt(1),
		Time:        1,
		Difficulty:  new(big.Int),
		Random:      &common.Hash{},
		BaseFee:     new(big.Int),
		BlobBaseFee: big.NewInt(1),
		GasLimit:    in.Gas,
	}
	rules := config.Rules(block.BlockNumber, true, block.Time)
	tx := vm.TxContext{Origin: in.Sender, GasPrice: new(big.Int)}
	evm := vm.NewEVM(block, tx, db, config, vm.Config{})
	sender := vm.AccountRef(in.Sender)
	nothing := new(uint256.Int)
	var result answer
	started := cpuSeconds()
	for _, c := range w.Calls {
		evm.Reset(tx, db)
		db.Prepare(rules, in.Sender, block.Coinbase, c.To, vm.ActivePrecompiles(rules), nil)
		var output []byte
		var left uint64
		var err error
		if c.To == nil {
			output, _, left, err = evm.Create(sender, c.Data, in.Gas, nothing)
		} else {
			output, left, err = evm.Call(sender, *c.To, c.Data, in.Gas, nothing)
		}
		if err != nil {
			panic(fmt.Sprintf("%s: %v", w.Name, err))
		}
		db.Finalise(true)
		result.Gas += in.Gas - left
		result.Output = output
	}
	result.Seconds = cpuSeconds() - started
	return result
}

func main() {
	runtime.LockOSThread()
	defer func() {
		for _, folder := range folders {
			os.RemoveAll(folder)
		}
	}()
	var in input
	check(json.Unmarshal(must(os.ReadFile(os.Args[1])), &in))
	config := *params.MergedTestChainConfig
	states := map[string]func() *state.StateDB{}
	lines := bufio.NewScanner(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		for _, w := range in.Workloads {
			if w.Name != lines.Text() {
				continue
			}
			if states[w.Name] == nil {
				if w.OnDisk {
					states[w.Name] = onDisk(w)
				} else {
					states[w.Name] = inMemory(w)
				}
			}
			check(answers.Encode(run(&in, w, states[w.Name](), &config)))
		}
	}
}
