package dev.partita.runtime;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
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

/** Holds the arrows between the packages of the runtime in place. */
@AnalyzeClasses(
    packages = "dev.partita.runtime",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String OURS = "dev.partita..";
  private static final String ACTOR = "dev.partita.runtime.actor..";
  private static final String API = "dev.partita.runtime.api..";
  private static final String CHARGE = "dev.partita.runtime.charge..";
  private static final String ITEM = "dev.partita.runtime.item..";
  private static final String MODEL = "dev.partita.runtime.model..";
  private static final String PARTITIONING = "dev.partita.runtime.partitioning..";
  private static final String SERIALIZATION = "dev.partita.runtime.serialization..";

  @ArchTest
  static final ArchRule ONLY_THE_SHELL_KNOWS_AKKA = noClasses()
      .that()
      .resideOutsideOfPackages(ACTOR, SERIALIZATION)
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
  static final ArchRule MODEL_KNOWS_NOBODY = classes()
      .that()
      .resideInAPackage(MODEL)
      .should()
      .onlyDependOnClassesThat()
      .resideInAnyPackage(MODEL, "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule PARTITIONING_KNOWS_THE_MODEL = knows(PARTITIONING, MODEL);

  @ArchTest
  static final ArchRule CHARGE_KNOWS_THE_MODEL = knows(CHARGE, MODEL);

  @ArchTest
  static final ArchRule API_KNOWS_MODEL_AND_PARTITIONING = knows(API, MODEL, PARTITIONING);

  @ArchTest
  static final ArchRule ITEM_KNOWS_API_MODEL_AND_PARTITIONING =
      knows(ITEM, API, MODEL, PARTITIONING);

  @ArchTest
  static final ArchRule THE_RUNTIME_KNOWS_NO_OTHER_MODULE =
      noClasses().should(dependOnOursOutside("dev.partita.runtime.."));

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
      .callMethodWhere(com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
          com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner(
              assignableTo(Clock.class))))
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
