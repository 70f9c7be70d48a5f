package dev.partita.runtime;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Holds the arrows between the packages of the runtime in place. */
@AnalyzeClasses(
    packages = "dev.partita.runtime",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String OURS = "dev.partita..";
  private static final String ACTOR = name("actor");

  private static String name(String part) {
    return "dev.partita.runtime." + part + "..";
  }

  /** Of our packages, the first knows at most the others. */
  private static ArchRule knowsOnly(String part, String... others) {
    String[] known = Stream.concat(Stream.of(part), Stream.of(others))
        .map(ArchitectureTest::name)
        .toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage(name(part))
        .should()
        .dependOnClassesThat(resideInAPackage(OURS).and(resideOutsideOfPackages(known)))
        .allowEmptyShould(true);
  }

  @ArchTest
  static final ArchRule ONLY_THE_SHELL_KNOWS_AKKA = noClasses()
      .that()
      .resideOutsideOfPackages(ACTOR, name("serialization"))
      .should()
      .dependOnClassesThat()
      .resideInAnyPackage("akka..", "scala..");

  @ArchTest
  static final ArchRule NOTHING_POINTS_AT_THE_SHELL = noClasses()
      .that()
      .resideOutsideOfPackage(ACTOR)
      .should()
      .dependOnClassesThat()
      .resideInAPackage(ACTOR);

  @ArchTest
  static final ArchRule MODEL_KNOWS_NOBODY = knowsOnly("model");

  @ArchTest
  static final ArchRule PARTITIONING_KNOWS = knowsOnly("partitioning", "model");

  @ArchTest
  static final ArchRule CHARGE_KNOWS = knowsOnly("charge", "model");

  @ArchTest
  static final ArchRule API_KNOWS = knowsOnly("api", "model", "partitioning");

  @ArchTest
  static final ArchRule REPLICATION_KNOWS = knowsOnly("replication", "model");

  @ArchTest
  static final ArchRule STORE_KNOWS = knowsOnly("store", "model", "replication");

  @ArchTest
  static final ArchRule PLACEMENT_KNOWS = knowsOnly("placement", "model", "store");

  @ArchTest
  static final ArchRule CATALOG_KNOWS =
      knowsOnly("catalog", "api", "model", "partitioning", "placement", "store");

  @ArchTest
  static final ArchRule SERIALIZATION_KNOWS =
      knowsOnly("serialization", "model", "placement", "replication", "store");

  @ArchTest
  static final ArchRule ITEM_KNOWS =
      knowsOnly("item", "api", "charge", "model", "partitioning", "replication", "store");

  @ArchTest
  static final ArchRule THE_API_IS_FOR_FRONT_ENDS = noClasses()
      .that()
      .resideOutsideOfPackages(name("api"), name("item"), name("catalog"), name("actor"))
      .should()
      .dependOnClassesThat()
      .resideInAPackage(name("api"));

  @ArchTest
  static final ArchRule THE_RUNTIME_KNOWS_NO_OTHER_MODULE = noClasses()
      .should()
      .dependOnClassesThat(
          resideInAPackage(OURS).and(resideOutsideOfPackage("dev.partita.runtime..")));

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("dev.partita.runtime.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule TIME_CHANCE_AND_THREADS_ARE_PASSED_IN = noClasses()
      .that()
      .resideOutsideOfPackage(ACTOR)
      .should()
      .callMethod(System.class, "currentTimeMillis")
      .orShould()
      .callMethod(System.class, "nanoTime")
      .orShould()
      .callMethod(Instant.class, "now")
      .orShould()
      .callMethodWhere(target(owner(assignableTo(Clock.class))))
      .orShould()
      .callMethod(UUID.class, "randomUUID")
      .orShould()
      .callMethod(Math.class, "random")
      .orShould()
      .dependOnClassesThat(assignableTo(Thread.class)
          .or(assignableTo(Random.class))
          .or(assignableTo(SecureRandom.class))
          .or(assignableTo(ThreadLocalRandom.class)));
}
