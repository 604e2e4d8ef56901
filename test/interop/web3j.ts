import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytecode } from '../clients/counter.ts'
import type { Interop } from './interop.ts'
import { createJavaPackages } from './javaPackages.ts'
import { runSayingProgram } from './sayingProgram.ts'
import { accounts, withDevChain, withQbftChain } from './toolChain.ts'

/** The last release for Java 17 whose client for Besu is in Maven Central. */
const packages = createJavaPackages('web3j', ['org.web3j:besu:4.12.2'])

/** What a Java program does, in front of a part that only one kind of network has; each line that it prints is a check. */
const programWith = (part: string) => `import io.reactivex.disposables.Disposable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import org.web3j.abi.EventEncoder;
import org.web3j.abi.TypeReference;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.Event;
import org.web3j.abi.datatypes.Function;
import org.web3j.abi.datatypes.generated.Uint256;
import org.web3j.crypto.Credentials;
import org.web3j.protocol.Web3j;
import org.web3j.protocol.besu.Besu;
import org.web3j.protocol.core.DefaultBlockParameterName;
import org.web3j.protocol.core.RemoteFunctionCall;
import org.web3j.protocol.core.methods.request.EthFilter;
import org.web3j.protocol.core.methods.request.Transaction;
import org.web3j.protocol.core.methods.response.TransactionReceipt;
import org.web3j.protocol.http.HttpService;
import org.web3j.protocol.websocket.WebSocketService;
import org.web3j.tx.Contract;
import org.web3j.tx.PrivateTransactionManager;
import org.web3j.tx.RawTransactionManager;
import org.web3j.tx.TransactionManager;
import org.web3j.tx.Transfer;
import org.web3j.tx.gas.BesuPrivacyGasProvider;
import org.web3j.tx.gas.ContractGasProvider;
import org.web3j.tx.gas.StaticEIP1559GasProvider;
import org.web3j.tx.response.PollingPrivateTransactionReceiptProcessor;
import org.web3j.tx.response.PollingTransactionReceiptProcessor;
import org.web3j.utils.Base64String;
import org.web3j.utils.Convert;
import org.web3j.utils.Numeric;
import org.web3j.utils.Restriction;

public class Program {
  static final String CODE = "${bytecode}";
  static final DefaultBlockParameterName LATEST = DefaultBlockParameterName.LATEST;
  static final Event CHANGED = new Event("Changed",
      Arrays.asList(new TypeReference<Address>(true) {}, new TypeReference<Uint256>() {}));

  static void say(String name, boolean right) {
    System.out.println((right ? "ok " : "wrong ") + name);
  }

  /** As web3j's generator writes it. */
  static class Counter extends Contract {
    protected Counter(String address, Web3j web3j, TransactionManager manager, ContractGasProvider gas) {
      super(CODE, address, web3j, manager, gas);
    }
    static Function setting(long value) {
      return new Function("set", List.of(new Uint256(value)), List.of());
    }
    RemoteFunctionCall<TransactionReceipt> set(long value) {
      return executeRemoteCallTransaction(setting(value));
    }
    RemoteFunctionCall<BigInteger> get() {
      Function get = new Function("get", List.of(), List.of(new TypeReference<Uint256>() {}));
      return executeRemoteCallSingleValueReturn(get, BigInteger.class);
    }
    static List<BigInteger> changes(TransactionReceipt receipt) {
      return receipt.getLogs().stream()
          .map(log -> (BigInteger) staticExtractEventParameters(CHANGED, log).getNonIndexedValues().get(0).getValue())
          .toList();
    }
  }

  static String failureOf(RemoteFunctionCall<TransactionReceipt> call) {
    try {
      return call.send().getStatus();
    } catch (Exception error) {
      return error.getMessage();
    }
  }

  public static void main(String[] args) throws Exception {
    // Connections keep the program alive.
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
      error.printStackTrace();
      System.exit(1);
    });
    // On a machine with other work a reader may take longer to start than a client usually waits.
    OkHttpClient patient = new OkHttpClient.Builder().readTimeout(180, TimeUnit.SECONDS).build();
    Besu web3j = Besu.build(new HttpService(System.getenv("QUOIN_URL"), patient));
    Credentials me = Credentials.create(System.getenv("QUOIN_KEY"));
    String other = "0x00000000000000000000000000000000000000cc";
    long chainId = web3j.ethChainId().send().getChainId().longValue();
    say("chain id", chainId == 1337);
    say("client version", web3j.web3ClientVersion().send().getWeb3ClientVersion().startsWith("quoin/"));

    WebSocketService socket = new WebSocketService(System.getenv("QUOIN_WS_URL"), false);
    socket.connect();
    CompletableFuture<String> head = new CompletableFuture<>();
    Disposable heads = Web3j.build(socket).newHeadsNotifications()
        .subscribe(news -> head.complete(news.getParams().getResult().getNumber()), head::completeExceptionally);

    BigInteger price = web3j.ethGasPrice().send().getGasPrice();
    RawTransactionManager manager = new RawTransactionManager(web3j, me, chainId, new PollingTransactionReceiptProcessor(web3j, 200, 900));
    TransactionReceipt sent = new Transfer(web3j, manager).sendFunds(other, BigDecimal.ONE, Convert.Unit.WEI, price, BigInteger.valueOf(21000)).send();
    say("transfer", sent.isStatusOK() && web3j.ethGetBalance(other, LATEST).send().getBalance().equals(BigInteger.ONE));
    say("subscription to heads", Numeric.decodeQuantity(head.get(180, TimeUnit.SECONDS)).signum() >= 0);
    heads.dispose();

    BigInteger fee = price.multiply(BigInteger.TWO).max(BigInteger.valueOf(2_000_000_000L));
    ContractGasProvider gas = new StaticEIP1559GasProvider(chainId, fee, BigInteger.ONE.min(fee), BigInteger.valueOf(300_000));
    Counter counter = Contract.deployRemoteCall(Counter.class, web3j, manager, gas, CODE, "").send();
    say("deployment", counter.getTransactionReceipt().get().isStatusOK() && counter.get().send().signum() == 0);
    TransactionReceipt wrote = counter.set(5).send();
    say("write", counter.get().send().intValue() == 5);
    say("event of the receipt", Counter.changes(wrote).equals(List.of(BigInteger.valueOf(5))));
    EthFilter filter = new EthFilter(DefaultBlockParameterName.EARLIEST, LATEST, counter.getContractAddress());
    filter.addSingleTopic(EventEncoder.encode(CHANGED));
    say("logs", web3j.ethGetLogs(filter).send().getLogs().size() == 1);
    say("reason of a failed transaction", failureOf(counter.set(2000)).contains("too large"));
    String call = org.web3j.abi.FunctionEncoder.encode(Counter.setting(2000));
    String reason = web3j.ethCall(Transaction.createEthCallTransaction(me.getAddress(), counter.getContractAddress(), call), LATEST).send().getRevertReason();
    say("reason of a reverted call", reason != null && reason.contains("too large"));
    say("fee history", web3j.ethFeeHistory(2, LATEST, List.of(50.0)).send().getFeeHistory().getBaseFeePerGas().size() >= 2);
    say("trace", web3j.debugTraceTransaction(wrote.getTransactionHash(), Map.of()).send().getFullDebugTraceInfo().getStructLogs().size() > 10);
${part}
    System.exit(0);
  }
}
`

const votes = `
    List<String> validators = web3j.qbftGetValidatorsByBlockNumber(LATEST).send().getAccounts();
    say("validators", validators.size() == 1);
    say("vote", web3j.qbftProposeValidatorVote(other, false).send().success());
    say("votes", Boolean.FALSE.equals(web3j.qbftGetPendingVotes().send().getAccounts().get(other)));
    say("vote taken back", web3j.qbftDiscardValidatorVote(other).send().success() && web3j.qbftGetPendingVotes().send().getAccounts().isEmpty());
    say("metrics of validators", web3j.qbftGetSignerMetrics().send().getSignerMetrics().stream().anyMatch(one -> one.getAddress().equals(validators.get(0))));`

const privateTransactions = `
    Base64String key = Base64String.wrap(System.getenv("QUOIN_PRIVATE_KEY"));
    PollingPrivateTransactionReceiptProcessor processor = new PollingPrivateTransactionReceiptProcessor(web3j, 200, 900);
    BesuPrivacyGasProvider free = new BesuPrivacyGasProvider(BigInteger.ZERO, BigInteger.valueOf(300_000));
    Base64String group = web3j.privCreatePrivacyGroup(List.of(key), "web3j", "of one").send().getPrivacyGroupId();
    say("group", web3j.privFindPrivacyGroup(List.of(key)).send().getGroups().stream().anyMatch(one -> one.getPrivacyGroupId().equals(group)));
    PrivateTransactionManager inGroup = new PrivateTransactionManager(web3j, me, processor, chainId, key, group, Restriction.RESTRICTED);
    Counter secret = Contract.deployRemoteCall(Counter.class, web3j, inGroup, free, CODE, "").send();
    TransactionReceipt hidden = secret.set(7).send();
    say("private contract", secret.get().send().intValue() == 7 && Counter.changes(hidden).equals(List.of(BigInteger.valueOf(7))));
    say("which the public does not see", web3j.ethGetCode(secret.getContractAddress(), LATEST).send().getCode().equals("0x"));`

export const web3j: Interop = {
  name: 'web3j',
  doc: 'web3j with its client for Besu, on a development network (with private transactions) and QBFT (with votes).',
  whyNot: () => packages.fetch(),
  async run({ checks, folder }) {
    const run = (name: string, part: string, env: NodeJS.ProcessEnv) =>
      runSayingProgram(checks, `${name}: web3j`, {
        text: programWith(part),
        script: join(packages.folder, name, 'Program.java'),
        command: packages.java,
        env: { QUOIN_KEY: accounts[0]!.key, ...env },
      })
    await withDevChain(
      folder,
      ({ name, url, wsUrl }) => {
        const key = readFileSync(join(folder, 'dev/privacy.pub'), 'utf8').trim()
        return run(name, privateTransactions, { QUOIN_URL: url, QUOIN_WS_URL: wsUrl, QUOIN_PRIVATE_KEY: key })
      },
      ['--privacy-enabled', '--rpc-http-api=ETH,NET,WEB3,DEBUG,EEA,PRIV'],
    )
    await withQbftChain(folder, ({ name, url, wsUrl }) => run(name, votes, { QUOIN_URL: url, QUOIN_WS_URL: wsUrl }))
  },
}
